import { afterAll, beforeAll, describe } from 'vitest'
import { type Service, startService } from '../../support/service-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { attackTests } from './attack-tests.ts'
import { clockTests } from './clock-tests.ts'
import { docsTests } from './docs-tests.ts'
import { doctorTests } from './doctor-tests.ts'
import { interruptTests, killTests } from './restart-tests.ts'
import type { Running } from './running.ts'
import { secretsTest, tradingTests } from './trading-tests.ts'

/**
 * One home of `tidemark up` in three starts, because each start costs seconds: the first works through Temporal and ends by Ctrl-C,
 * the second is traded in, inspected and attacked until it is killed, the third continues. In this order: the doctor and the attacks
 * leave orders behind.
 */
const START_MS = 300_000
const ACCOUNTS = ['--sandbox-accounts', '4']
const WITHOUT_TEMPORAL = [...ACCOUNTS, '--no-temporal']
const home = tempFolder()
let current: Service

const running: Running = {
  home,
  service: () => current,
  startAgain: async (options) => {
    current = await startService(home, options)
  },
}

beforeAll(() => running.startAgain(ACCOUNTS), START_MS)
afterAll(() => current.stop('SIGTERM'), 120_000)

describe('the first start, through Temporal', () => {
  clockTests(running)
  secretsTest(running)
  interruptTests(running, WITHOUT_TEMPORAL)
})

describe('the start after Ctrl-C', () => {
  tradingTests(running)
  secretsTest(running)
})

describe('the doctor', () => doctorTests(running))

describe('the documentation', () => docsTests(running))

describe('under attack', () => attackTests(running))

describe('the start after a kill', () => killTests(running, WITHOUT_TEMPORAL))
