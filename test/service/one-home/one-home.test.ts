import { afterAll, beforeAll, describe } from 'vitest'
import { type Service, startService } from '../../support/service-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { attackTests } from './attack-tests.ts'
import { clockTests } from './clock-tests.ts'
import { docsTests } from './docs-tests.ts'
import { doctorTests } from './doctor-tests.ts'
import { interruptTests, killTest, pastTest } from './restart-tests.ts'
import type { Running } from './running.ts'
import { secretsTest, tradingTests } from './trading-tests.ts'

/**
 * One home of `tidemark up` in two starts, because each start costs seconds: the first is traded in, inspected and attacked until it is
 * killed, the second continues through Temporal and ends by Ctrl-C. In this order: the doctor and the attacks leave orders behind.
 */
const START_MS = 300_000
const ACCOUNTS = ['--sandbox-accounts', '4']
const home = tempFolder()
let current: Service

const running: Running = {
  home,
  service: () => current,
  startAgain: async (options) => {
    current = await startService(home, options)
  },
}

beforeAll(() => running.startAgain([...ACCOUNTS, '--no-temporal']), START_MS)
afterAll(() => current.stop('SIGTERM'), 120_000)

describe('the first start', () => {
  tradingTests(running)
  secretsTest(running)
})

describe('the doctor', () => doctorTests(running))

describe('the documentation', () => docsTests(running))

describe('under attack', () => attackTests(running))

describe('the start after a kill, through Temporal', () => {
  const past = killTest(running, ACCOUNTS)
  clockTests(running)
  pastTest(running, past)
  secretsTest(running)
  interruptTests(running, ACCOUNTS)
})
