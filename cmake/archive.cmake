# Writes the archive OUT with all objects of the archives PARTS, by AR.
file(REMOVE ${OUT})
get_filename_component(folder ${OUT} DIRECTORY)
set(script "CREATE libvic.a\n")
foreach(part IN LISTS PARTS)
  # scripts of ar have no quotes: a path with a space must not be in one
  file(RELATIVE_PATH part ${folder} ${part})
  string(APPEND script "ADDLIB ${part}\n")
endforeach()
file(WRITE ${folder}/libvic.mri "${script}SAVE\nEND\n")
execute_process(COMMAND ${AR} -M INPUT_FILE ${folder}/libvic.mri WORKING_DIRECTORY ${folder}
                COMMAND_ERROR_IS_FATAL ANY)
