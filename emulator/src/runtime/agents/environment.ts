import { CommandError } from "./commands";

/** Beginnings of variables of the system's loader, of runtimes, shells and version control. */
const loaders = wordsOf(`
  BASH_FUNC_ BUN_INSPECT CORECLR_ COR_ENABLE_PROFILING COR_PROFILER DYLD_ ERL_OTP GIT_ATTR_ GIT_CONFIG GIT_PROXY_
  GIT_REDIRECT_ GIT_SSL_ GIT_TEST_ GIT_TRACE GLIBC_ LD_ LUA_CPATH LUA_INIT LUA_PATH PERL5 PERLDB PERL_CARTON_
  PERL_CPANM_ PYTEST_ RUBY_DEBUG_ XDG_CONFIG_ XDG_DATA_
`);

/** Beginnings of variables of tools that read every option from one, so that no list of names is complete. */
const tools = wordsOf(`
  BUNDLE_ BUN_ CARGO_ COMPLUS_ COMPOSER_ CONDA_ COREPACK_ DENO_ DOTNET_ NPM_CONFIG_ NVM_ PIP_ PNPM_ POETRY_ PYENV_
  RBENV_ RUSTC RUSTDOC RUSTFLAGS RUSTUP_ TSX_ TS_NODE_ UVICORN_ UV_ YARN_
`);
/** How the names of credentials end, which no tool runs. */
const credential = /_(?:API_?KEY|ACCESS_KEY(?:_ID)?|SECRET(?:_KEY)?|(?:AUTH_?)?TOKEN|PASSWORD|USERNAME)$/;
/** The variables of Python and Ruby have no underscore after the name of the language. */
const interpreter = /^(?:PYTHON|RUBY)[A-Z0-9]/;
/** Those that begin as others do, and change how a command runs, not what. */
const harmless = new Set(
  wordsOf(`
  DOTNET_ENVIRONMENT DOTNET_RUNNING_IN_CONTAINER PYTHONASYNCIODEBUG PYTHONDONTWRITEBYTECODE PYTHONFAULTHANDLER
  PYTHONHASHSEED PYTHONINTMAXSTRDIGITS PYTHONIOENCODING PYTHONTRACEMALLOC PYTHONUNBUFFERED PYTHONUTF8 UV_THREADPOOL_SIZE
`),
);

/** Whole names of variables that change what a command runs. */
const names = new Set(
  wordsOf(`
  APPDATA AR AS BASHOPTS BASH_ENV BASH_LOADABLES_PATH BROWSER CC CDPATH CFLAGS CLASSPATH CMAKE_TOOLCHAIN_FILE COMSPEC
  CONTAINERS_CONF CONTAINER_HOST CPP CPPFLAGS CXX CXXFLAGS DJANGO_SETTINGS_MODULE DOCKER_CERT_PATH DOCKER_CONFIG
  DOCKER_CONTEXT DOCKER_HOST EDITOR ELECTRON_RUN_AS_NODE ELIXIR_ERL_OPTIONS ENV ERL_AFLAGS ERL_FLAGS ERL_INETRC ERL_LIBS
  ERL_ROOTDIR ERL_ZFLAGS FLASK_APP FPATH GCONV_PATH GEM_HOME GEM_PATH GETCONF_DIR GIT_ALLOW_PROTOCOL
  GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_ASKPASS GIT_CEILING_DIRECTORIES GIT_COMMON_DIR GIT_DEFAULT_HASH
  GIT_DEFAULT_REF_FORMAT GIT_DIR GIT_DISCOVERY_ACROSS_FILESYSTEM GIT_EDITOR GIT_EXEC_PATH GIT_EXTERNAL_DIFF
  GIT_GRAFT_FILE GIT_INDEX_FILE GIT_NAMESPACE GIT_NO_REPLACE_OBJECTS GIT_OBJECT_DIRECTORY GIT_PAGER
  GIT_PROTOCOL_FROM_USER GIT_QUARANTINE_PATH GIT_REF_PARANOIA GIT_REPLACE_REF_BASE GIT_SEQUENCE_EDITOR
  GIT_SHALLOW_FILE GIT_SSH GIT_SSH_COMMAND GIT_SSH_VARIANT GIT_TEMPLATE_DIR GIT_WORK_TREE
  GOENV GOFLAGS GOPATH GOROOT GOTOOLCHAIN GRADLE_OPTS
  GUNICORN_CMD_ARGS HOME HOMEDRIVE HOMEPATH HOSTALIASES IFS INPUTRC JAVA_HOME JAVA_OPTS JAVA_TOOL_OPTIONS JDK_HOME
  JDK_JAVA_OPTIONS JULIA_DEPOT_PATH JULIA_LOAD_PATH JVM_OPTS KUBECONFIG LDFLAGS LDSHARED LESS LESSCLOSE LESSOPEN
  LIBPATH LOCALAPPDATA LOCPATH MAKE MAKEFILES MAKEFLAGS MANPAGER MAVEN_ARGS MAVEN_OPTS NIX_PATH NLSPATH
  NODE_COMPILE_CACHE NODE_ICU_DATA NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_REPL_HISTORY
  NODE_V8_COVERAGE OPENSSL_CONF OPENSSL_CONF_INCLUDE OPENSSL_ENGINES OPENSSL_MODULES PAGER PATH PATHEXT PERLIO PERLLIB
  PERL_DL_NONLAZY PERL_LOCAL_LIB_ROOT PERL_MB_OPT PERL_MM_OPT PHPRC PHP_INI_SCAN_DIR PKG_CONFIG PKG_CONFIG_PATH
  PROMPT_COMMAND PS1 PS2 PS4 PSMODULEPATH PYTHON_FROZEN_MODULES PYTHON_HISTORY PYTHON_PRESITE R_HOME R_LIBS R_PROFILE
  R_PROFILE_USER SHELL SHELLOPTS SHLIB_PATH SSH_ASKPASS SSH_AUTH_SOCK SUDO_ASKPASS SYSTEMROOT TCLLIBPATH TEMP TERMCAP
  TERMINFO TERMINFO_DIRS TMP TMPDIR USERPROFILE VIRTUAL_ENV VISUAL WINDIR XDG_BIN_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR
  XDG_STATE_HOME ZDOTDIR _JAVA_OPTIONS
`),
);

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Whether a variable changes what a command runs. Windows ignores the case of names, and so do npm and others. */
function changesWhatRuns(name: string): boolean {
  const upper = name.toUpperCase();
  const begins = (prefixes: readonly string[]) => prefixes.some((prefix) => upper.startsWith(prefix));
  if (harmless.has(upper)) return false;
  if (names.has(upper) || interpreter.test(upper) || begins(loaders)) return true;
  return begins(tools) && !credential.test(upper);
}

/**
 * Checks variables that come from a request or from an uploaded file: only the operator of the emulator chooses what
 * runs. @throws CommandError
 */
export function checkVariables(origin: string, variables: Readonly<Record<string, string>>): Record<string, string> {
  for (const [name, value] of Object.entries(variables)) {
    // "A=B" would set A, and a shell reads functions from names with other characters.
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw new CommandError(`${origin} has the name ${JSON.stringify(name)}, which no environment variable can have`);
    }
    if (value.includes("\0")) throw new CommandError(`${origin} ${name} contains a NUL character`);
    if (!changesWhatRuns(name)) continue;
    const help = 'Set it in "environment" of the agents file, or rename it';
    throw new CommandError(`${origin} ${name} can change what a command runs, so no request sets it. ${help}`);
  }
  return { ...variables };
}
