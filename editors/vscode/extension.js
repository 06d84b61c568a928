// Starts `teamplay lsp` for the tables of a window.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const [command, ...args] = workspace.getConfiguration("teamplay").get("command");
  client = new LanguageClient("teamplay", { command, args }, { documentSelector: [{ language: "team" }] });
  return client.start();
};

exports.deactivate = () => client && client.stop();
