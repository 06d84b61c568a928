// A host in another language, written from docs/live.md alone. Its agents play by this table:
//     everyone:
//         if count(o) >= 2 then return 1
//         return 5 - count(x)
// Usage: node live_host.js PORT HELLO, where HELLO is what `teamplay host TABLE --describe` prints.
const net = require("node:net");

const [port, greeting] = [Number(process.argv[2]), JSON.parse(process.argv[3])];
const mine = `teamplay.${greeting.team}.from.${greeting.host}`;
const cells = greeting.area.flatMap(([first, length]) => Array.from({ length }, (_, i) => first + i));
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
let epoch = 0;
let board = Array(9).fill("b");

const word = (number) => BigInt.asUintN(64, number);
function mixed(number) {
  number = word(number + 0x9e3779b97f4a7c15n);
  number = word((number ^ (number >> 30n)) * 0xbf58476d1ce4e5b9n);
  number = word((number ^ (number >> 27n)) * 0x94d049bb133111ebn);
  return number ^ (number >> 31n);
}
function hash() {
  let found = 0n;
  board.forEach((mark, cell) => {
    if (mark !== "b") found ^= mixed(BigInt(256 * cell + mark.charCodeAt(0)));
  });
  return found.toString(16).padStart(16, "0");
}
function priority(cell) {
  const seen = new Set(LINES.filter((line) => line.includes(cell)).flat().filter((other) => other !== cell));
  const count = (mark) => [...seen].filter((other) => board[other] === mark).length;
  return count("o") >= 2 ? 1 : 5 - count("x");
}
function report(call) {
  const answer = { v: 1, type: "report", epoch: call.epoch, round: call.round, hash: hash(), answers: [], asked: 0 };
  if (call.epoch < epoch) return { ...answer, epoch, round: 0, hash: "" };
  epoch = call.epoch;
  if (call.hash !== answer.hash) return answer;
  const open = (cell) => !call.active || call.active.some(([first, length]) => first <= cell && cell < first + length);
  const said = cells.filter((cell) => board[cell] === "b" && open(cell)).map((cell) => [cell, 1, priority(cell)]);
  const best = Math.min(...said.map((entry) => entry[2]));
  return { ...answer, answers: said.filter((entry) => call.everyone || entry[2] === best), asked: said.length };
}
function change(told) {
  if (told.epoch < epoch) return;
  epoch = told.epoch;
  if (told.fresh) board = Array(9).fill("b");
  for (const [cell, mark] of told.cells) board[cell] = mark;
}

// NATS in a few lines: CONNECT, SUB and PUB out, MSG and PING in.
const socket = net.connect(port, "127.0.0.1");
const publish = (subject, message) => {
  const data = Buffer.from(JSON.stringify(message));
  socket.write(Buffer.concat([Buffer.from(`PUB ${subject} ${data.length}\r\n`), data, Buffer.from("\r\n")]));
};
const hello = () => ({ ...greeting, epoch });
socket.write('CONNECT {"verbose":false,"pedantic":false}\r\n');
[`teamplay.${greeting.team}.to.${greeting.host}`, `teamplay.${greeting.team}.all`, "teamplay.who"].forEach((subject, i) =>
  socket.write(`SUB ${subject} ${i + 1}\r\n`));
publish(mine, hello());

let waiting = Buffer.alloc(0);
socket.on("close", () => process.exit(0));
socket.on("error", () => process.exit(1));
socket.on("data", (data) => {
  waiting = Buffer.concat([waiting, data]);
  for (;;) {
    const end = waiting.indexOf("\r\n");
    if (end < 0) return;
    const words = waiting.subarray(0, end).toString().split(" ");
    if (words[0] !== "MSG") {
      if (words[0] === "PING") socket.write("PONG\r\n");
      waiting = waiting.subarray(end + 2);
      continue;
    }
    const length = Number(words.at(-1));
    if (waiting.length < end + length + 4) return;
    const told = JSON.parse(waiting.subarray(end + 2, end + 2 + length));
    waiting = waiting.subarray(end + length + 4);
    if (told.type === "change") change(told);
    else if (told.type === "call") publish(mine, report(told));
    else if (told.type === "who" && words[1].endsWith(".all")) publish(mine, hello());
    else if (told.type === "who" && words.length === 5) publish(words[3], hello());
  }
});
process.stdin.on("end", () => process.exit(0)).resume();
