import { CommandError } from "./commands";

/**
 * Beginnings of variables that change what a command runs: the system's loader, language runtimes, shells,
 * version control, package managers and build tools read them.
 */
const prefixes = wordsOf(`
  BASH_ BUN_ BUNDLE_ CARGO_ COMPLUS_ COMPOSER_ CONDA_ COR_ CORECLR_ COREPACK_ DENO_ DOTNET_ DYLD_ ERL_ GIT_ GLIBC_
  GUNICORN_ JDK_ LD_ LUA_ NPM_CONFIG_ NVM_ OPENSSL_ PERL5 PERL_ PHP_INI PIP_ PNPM_ POETRY_ PYENV_ PYTEST_ PYTHON
  RBENV_ RUBY RUSTC RUSTFLAGS RUSTUP_ TS_NODE_ TSX_ UVICORN_ UV_ XDG_ YARN_
`);

/** Whole names of such variables. */
const names = new Set(
  wordsOf(`
  APPDATA AR AS BASHOPTS BROWSER CC CDPATH CFLAGS CLASSPATH CMAKE_TOOLCHAIN_FILE COMSPEC CONTAINER_HOST
  CONTAINERS_CONF CPP CPPFLAGS CXX CXXFLAGS DJANGO_SETTINGS_MODULE DOCKER_CERT_PATH DOCKER_CONFIG DOCKER_CONTEXT
  DOCKER_HOST EDITOR ELECTRON_RUN_AS_NODE ELIXIR_ERL_OPTIONS ENV FLASK_APP FPATH GCONV_PATH GEM_HOME GEM_PATH
  GETCONF_DIR GOENV GOFLAGS GOPATH GOROOT GOTOOLCHAIN GRADLE_OPTS HOME HOMEDRIVE HOMEPATH HOSTALIASES IFS INPUTRC
  JAVA_HOME JAVA_OPTS JAVA_TOOL_OPTIONS JULIA_DEPOT_PATH JULIA_LOAD_PATH JVM_OPTS KUBECONFIG LDFLAGS LDSHARED LESS
  LESSCLOSE LESSOPEN LIBPATH LOCALAPPDATA LOCPATH MAKE MAKEFILES MAKEFLAGS MANPAGER MAVEN_ARGS MAVEN_OPTS NIX_PATH
  NLSPATH NODE_COMPILE_CACHE NODE_ICU_DATA NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_REPL_HISTORY
  NODE_V8_COVERAGE PAGER PATH PATHEXT PERLLIB PHPRC PKG_CONFIG PKG_CONFIG_PATH PROMPT_COMMAND PS1 PS2 PS4
  PSMODULEPATH R_HOME R_LIBS R_PROFILE R_PROFILE_USER SHELL SHELLOPTS SHLIB_PATH SSH_ASKPASS SSH_AUTH_SOCK
  SUDO_ASKPASS SYSTEMROOT TCLLIBPATH TEMP TERMCAP TERMINFO TERMINFO_DIRS TMP TMPDIR USERPROFILE VIRTUAL_ENV VISUAL
  WINDIR ZDOTDIR _JAVA_OPTIONS
`),
);

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Whether a variable changes what a command runs. Windows ignores the case of names, and so do npm and others. */
function changesWhatRuns(name: string): boolean {
  const upper = name.toUpperCase();
  return names.has(upper) || prefixes.some((prefix) => upper.startsWith(prefix));
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
