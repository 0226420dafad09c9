// The empty child: it says that it is there, and stays until it is ended.
process.send("ready");
process.on("message", () => {});
