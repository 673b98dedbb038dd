// @ts-check
// Starts `reconverge lsp` and hands it to VS Code. What is shown, the server decides.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

/** The languages that the server reads. */
const LANGUAGES = ['cuda-cpp', 'cuda', 'opencl', 'hip', 'llvm'];

/** @type {LanguageClient | undefined} The server that runs. */
let client;

/**
 * The command of the settings, as the client starts it.
 * @returns {import('vscode-languageclient/node').Executable}
 */
function command() {
  const settings = vscode.workspace.getConfiguration('reconverge');
  return {
    command: settings.get('path', 'reconverge'),
    args: ['lsp', ...settings.get('arguments', /** @type {string[]} */ ([]))],
  };
}

/** Starts a server; what it cannot do is said once. */
async function start() {
  const documentSelector = LANGUAGES.flatMap((language) =>
    ['file', 'untitled'].map((scheme) => ({ scheme, language })),
  );
  const server = command();
  const watched = vscode.workspace.createFileSystemWatcher('**/reconverge.toml');
  const started = new LanguageClient('reconverge', 'Reconverge', server, {
    documentSelector,
    synchronize: { fileEvents: watched },
  });
  client = started;
  try {
    await started.start();
  } catch (error) {
    client = undefined;
    const reason = error instanceof Error ? error.message : String(error);
    vscode.window.showErrorMessage(
      `${server.command} did not start (${reason}). The setting reconverge.path says where it is.`,
    );
  }
}

/** Ends the server that runs, if one does. */
async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function restart() {
  await stop();
  await start();
}

/** @param {vscode.ExtensionContext} context */
async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand('reconverge.restart', restart),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration('reconverge')) await restart();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
