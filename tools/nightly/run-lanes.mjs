import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { reportText } from './report-text.mjs'

/**
 * Runs lanes one after the other, past failures. `folder` gets a log for each lane and `report.md`, which is rewritten after each lane,
 * so that an interrupted run leaves what it has.
 * @param lanes    name and command of each
 * @param options  folder; cwd of the commands; on_result, called with each result
 * @returns        results: name, command, log, seconds, passed, figures of a bench
 */
export async function runLanes(lanes, { folder, cwd, on_result }) {
  mkdirSync(folder, { recursive: true })
  const started_at = new Date()
  const results = []
  for (const lane of lanes) {
    const result = await runLane(lane, folder, cwd)
    results.push(result)
    writeFileSync(join(folder, 'report.md'), reportText(results, { started_at, lanes: lanes.length }))
    on_result(result)
  }
  return results
}

async function runLane({ name, command }, folder, cwd) {
  const started = performance.now()
  const log = join(folder, `${name.replaceAll(':', '-')}.log`)
  const output = createWriteStream(log)
  const ended = await endOf(command, cwd, output)
  output.end()
  await finished(output)
  const text = readFileSync(log, 'utf8')
  const seconds = Math.round((performance.now() - started) / 1000)
  return { name, command: command.join(' '), log, seconds, passed: ended === 0, ended, text, figures: figuresOf(text) }
}

/** Exit code, signal or error of a command. */
function endOf([program, ...argv], cwd, output) {
  return new Promise((resolve) => {
    const child = spawn(program, argv, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.pipe(output, { end: false })
    child.stderr.pipe(output, { end: false })
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, signal) => resolve(code ?? signal))
  })
}

/** Rows that a bench printed, one JSON line each. */
function figuresOf(text) {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{"figure":')) return []
    try {
      return [JSON.parse(line)]
    } catch {
      return [] // cut off where the bench was ended
    }
  })
}
