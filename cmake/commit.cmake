# Writes OUT with the commit that is checked out in SOURCE, "" if it is not known. Run at build
# time, whenever git has moved its HEAD.
set(commit "")
if(EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git -C ${SOURCE} rev-parse HEAD
                  OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
file(WRITE ${OUT} "#pragma once\n#define VIC_COMMIT \"${commit}\"\n")
