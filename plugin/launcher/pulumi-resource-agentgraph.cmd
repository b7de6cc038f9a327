@echo off
where node >nul 2>nul
if errorlevel 1 (
  echo The agentgraph plugin requires Node, and PATH contains none. Install it from https://nodejs.org, or use the plugin's executable, which needs nothing. 1>&2
  exit /b 1
)
node "%~dp0start.js" %*
