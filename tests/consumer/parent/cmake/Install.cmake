message(FATAL_ERROR "genocl took a module of its parent")
