import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { awaitServing } from '../../workflows/server/await-serving.ts'
import { startDevServer } from '../../workflows/server/start-dev-server.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { temporalBinary } from './support/temporal.ts'

const folder = tempFolder()
const UNAVAILABLE = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' })

/** Starts a server by a program of shell lines. */
async function startBy(name: string, lines: readonly string[]) {
  const problems: unknown[] = []
  const binary = join(folder, name)
  writeFileSync(binary, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 })
  const on_problem = (error: unknown) => void problems.push(error)
  const started = startDevServer({ binary, folder: join(folder, `${name}-state`), namespace: 'default', on_problem })
  return { started, problems }
}

test('a server that is killed while it starts for the first time is started again', async () => {
  const once = join(folder, 'killed')
  const kill = `if [ ! -e '${once}' ]; then touch '${once}'; kill -9 $$; fi`
  const { started, problems } = await startBy('killed-once', [kill, `exec '${await temporalBinary()}' "$@"`])
  const server = await started
  try {
    await awaitServing(server, 60_000, new AbortController().signal)
    expect(problems).toEqual([UNAVAILABLE])
  } finally {
    await server.close()
  }
}, 900_000)

test('a program that never starts is given up after three times; the error names its log', async () => {
  const { started, problems } = await startBy('broken', ['exit 1'])
  await expect(started).rejects.toThrow(`its log is ${join(folder, 'broken-state', 'server.log')}`)
  expect(problems).toEqual([UNAVAILABLE, UNAVAILABLE])
}, 120_000)
