import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WorkflowNotFoundError } from '@temporalio/common'
import { beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '../../service/configuration.ts'
import { requireUnmoved, whileUnmoved } from '../../service/temporal/moved-server.ts'
import { serverFolder } from '../../workflows/server/server-file.ts'
import { tempFolder } from '../support/temp-folder.ts'

const home = tempFolder()
const settings = readSettings({ home }, {})
const at = (port: number) => ({ address: `127.0.0.1:${port}`, ui_url: null, namespace: 'default' })

/** Says that another process that lives runs a server for the home. */
beforeAll(() => {
  mkdirSync(serverFolder(home), { recursive: true })
  const file = { ...at(7002), owner_pid: process.ppid }
  writeFileSync(join(serverFolder(home), 'server.json'), JSON.stringify(file))
})

test('a command whose server was replaced by one at another address ends, and says what to do', async () => {
  await expect(requireUnmoved(settings, at(7001))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: `the Temporal server at 127.0.0.1:7001 ended, and ${home} has another one at 127.0.0.1:7002; allowed: the same command again, which goes on where this one ended`,
  })
})

test.each([
  ['the same server is away for a while', settings, 7002],
  ['the server was named, and the home has one beside it', { ...settings, temporal_address: '127.0.0.1:7001' }, 7001],
  ['no server runs for the home', readSettings({ home: tempFolder() }, {}), 7001],
])('it waits on where %s', async (_, of, port) => {
  await expect(requireUnmoved(of, at(port))).resolves.toBeUndefined()
})

describe('a command that waits for a workflow', () => {
  const workflow_id = 'correct/idx_a'
  const waiting = { workflow_id, result: () => new Promise<never>(() => undefined) }

  test('ends where another server runs for its home', async () => {
    await expect(whileUnmoved(waiting, settings, at(7001))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  test('ends where its server has lost the workflow, and says what to do', async () => {
    const lost = {
      workflow_id,
      result: () => Promise.reject(new WorkflowNotFoundError('gone', workflow_id, undefined)),
    }
    await expect(whileUnmoved(lost, settings, at(7002))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message:
        'the Temporal server at 127.0.0.1:7002 does not know correct/idx_a any more; allowed: the same command again',
    })
  })

  test('has the result of a server that stays', async () => {
    const done = { workflow_id, result: async () => 7 }
    expect(await whileUnmoved(done, settings, at(7002))).toBe(7)
  })
})
