# Writes the installed documents that the program prints, or that combine several files: manual
# pages, completions, the copyright. Run at build time with VIC, the program, SOURCE, UPLOT and OUT.
file(MAKE_DIRECTORY ${OUT})

# vic_says(FILE ARGUMENTS …): writes the output of the program to a file
function(vic_says file)
  execute_process(COMMAND ${VIC} ${ARGN} OUTPUT_FILE ${OUT}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
vic_says(vic.bash completion bash)
vic_says(_vic completion zsh)

execute_process(COMMAND ${VIC} completion words help "" OUTPUT_VARIABLE commands
                COMMAND_ERROR_IS_FATAL ANY)
string(STRIP "${commands}" commands)
string(REPLACE "\n" ";" commands "${commands}")
file(REMOVE_RECURSE ${OUT}/man)
file(MAKE_DIRECTORY ${OUT}/man)
vic_says(man/vic.1 help --man)
foreach(command IN LISTS commands)
  vic_says(man/vic-${command}.1 help --man ${command})
endforeach()
file(GLOB pages ${OUT}/man/*.1)
execute_process(COMMAND gzip -9 --no-name ${pages} COMMAND_ERROR_IS_FATAL ANY)

file(READ ${SOURCE}/LICENSE ours)
file(READ ${UPLOT}/LICENSE theirs)
file(WRITE ${OUT}/copyright "vic\n\n${ours}\nThe pages that vic writes contain uPlot:\n\n${theirs}")
