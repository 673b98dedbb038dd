// The extension in a made-up editor: what it starts, for which texts, and when it ends.
'use strict';

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const Module = require('node:module');
const test = require('node:test');

const manifest = require('../package.json');

/** Settings of the made-up editor, and what the extension has done to it. */
const editor = { settings: {}, clients: [], commands: {}, errors: [], onChange: undefined, fails: false };

class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, { id, name, server, options, state: 'new' });
    editor.clients.push(this);
  }
  async start() {
    if (editor.fails) throw new Error('spawn ENOENT');
    this.state = 'running';
  }
  async stop() {
    this.state = 'stopped';
  }
}

const modules = {
  'vscode-languageclient/node': { LanguageClient },
  vscode: {
    commands: { registerCommand: (name, run) => ((editor.commands[name] = run), { dispose() {} }) },
    window: { showErrorMessage: (message) => editor.errors.push(message) },
    workspace: {
      getConfiguration: () => ({ get: (name, otherwise) => editor.settings[name] ?? otherwise }),
      createFileSystemWatcher: (pattern) => ({ pattern }),
      onDidChangeConfiguration: (handler) => ((editor.onChange = handler), { dispose() {} }),
    },
  },
};
const load = Module._load;
Module._load = (name, ...rest) => modules[name] ?? load(name, ...rest);
const extension = require('../extension.js');

const running = () => editor.clients.filter((client) => client.state === 'running');

test('it starts one server, for the languages that activate it', async () => {
  await extension.activate({ subscriptions: [] });
  const [client] = running();
  assert.deepStrictEqual(client.server, { command: 'reconverge', args: ['lsp'] });
  const languages = new Set(client.options.documentSelector.map((part) => part.language));
  assert.deepStrictEqual([...languages].map((name) => `onLanguage:${name}`), manifest.activationEvents);
  assert.ok(manifest.contributes.languages.every((language) => languages.has(language.id)));
});

test('settings that change start another one', async () => {
  editor.settings = { path: '/opt/reconverge', arguments: ['--target', 'nvptx'] };
  await editor.onChange({ affectsConfiguration: (name) => name === 'editor' });
  assert.strictEqual(editor.clients.length, 1);
  await editor.onChange({ affectsConfiguration: (name) => name === 'reconverge' });
  assert.deepStrictEqual(running().map((client) => client.server.args), [['lsp', '--target', 'nvptx']]);
  await editor.commands['reconverge.restart']();
  assert.strictEqual(running().length, 1);
  assert.ok(Object.keys(manifest.contributes.configuration.properties).every((name) => name.startsWith('reconverge.')));
});

test('a command that is not there is said, and the next one is tried', async () => {
  editor.fails = true;
  await editor.commands['reconverge.restart']();
  assert.match(editor.errors[0], /\/opt\/reconverge did not start .*reconverge\.path/);
  editor.fails = false;
  await editor.commands['reconverge.restart']();
  assert.strictEqual(running().length, 1);
});

test('it ends with the editor', async () => {
  await extension.deactivate();
  assert.strictEqual(running().length, 0);
  await extension.deactivate();
});

/** The server itself, where RECONVERGE names one: it understands the command line that the extension makes. */
test('the server answers', { skip: !process.env.RECONVERGE }, async () => {
  const server = spawn(process.env.RECONVERGE, ['lsp', '--target', 'nvptx'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const say = (message) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  let said = '';
  server.stdout.on('data', (data) => (said += data));
  say({ id: 1, method: 'initialize', params: { capabilities: {} } });
  say({ id: 2, method: 'shutdown' });
  say({ method: 'exit' });
  const status = await new Promise((resolve) => server.on('exit', resolve));
  assert.strictEqual(status, 0);
  assert.match(said, /"hoverProvider":true/);
});
