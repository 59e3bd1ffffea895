// Runs a server and stops it when the parent process ends, however that ends: this closes standard input.
//   node watchdog.mjs PID_FILE PROGRAM ARGUMENT ...
import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'

const GRACE_MS = 4_000
const [pid_file, program, ...argv] = process.argv.slice(2)
const server = spawn(program, argv, { stdio: ['ignore', 'inherit', 'inherit'] })
try {
  if (server.pid !== undefined) writeFileSync(pid_file, String(server.pid))
} catch {
  // A full disk: a server that nobody can find later must not stay.
  server.kill('SIGKILL')
}

server.on('error', () => process.exit(1))
server.on('exit', (code) => {
  rmSync(pid_file, { force: true })
  process.exit(code ?? 1)
})
process.stdin.on('end', end).on('error', end).resume()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end)

function end() {
  server.kill('SIGTERM')
  setTimeout(() => server.kill('SIGKILL'), GRACE_MS)
}
