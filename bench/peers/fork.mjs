// A warm parent. On each line of input it forks the empty child once and prints, as JSON, the milliseconds to the child's first message
// and the child's resident memory in MiB at that moment, all of it and without the pages of files.
import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const child = fileURLToPath(new URL("forked.mjs", import.meta.url));

const memory = (pid) => {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  const mebibytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)[1]) / 1024;
  return { rss: mebibytes("VmRSS"), private: mebibytes("RssAnon") };
};

const once = () =>
  new Promise((done, failed) => {
    const began = performance.now();
    const forked = fork(child, [], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
    let measured;
    forked.once("error", failed);
    forked.once("message", () => {
      measured = { ms: performance.now() - began, ...memory(forked.pid) };
      forked.kill("SIGKILL");
    });
    forked.once("exit", () => (measured ? done(measured) : failed(new Error("the child ended before its first message"))));
  });

for await (const _ of createInterface({ input: process.stdin })) console.log(JSON.stringify(await once()));
