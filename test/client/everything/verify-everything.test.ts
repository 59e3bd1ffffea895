import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { EverythingCheck, EverythingReport } from '../../../client/everything/report.ts'
import { type VerifyEverythingOptions, verifyEverything } from '../../../client/everything/verify-everything.ts'
import { checkpointText } from '../../../pipelines/transparency/checkpoint.ts'
import { keyText, noteOf } from '../../../pipelines/transparency/signed-note.ts'
import { EMPTY_ROOT } from '../../../pipelines/transparency/tree-hash.ts'
import { serve } from '../../api/acceptance/served.ts'
import { LOG_KEY, signedBy, testKey, WITNESS_KEY } from '../../support/log/log-keys.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { type Alterations, alteredFetch } from './altered-fetch.ts'
import { makeDeployment } from './deployment.ts'

const root = await makeDeployment(tempFolder())
const api = await serve(root)
const checkpoint = () => readFileSync(join(root, 'log/checkpoint'), 'utf8')
const TRUSTED = { vkey: keyText(LOG_KEY.key), witnesses: [keyText(WITNESS_KEY.key)] }
/** After every level: a run asks for none. */
const NO_LEVELS = '2090-01-01T00:00:00Z'

afterEach(() => vi.unstubAllGlobals())

function verify(options: Partial<VerifyEverythingOptions> = {}, altered: Alterations = {}): Promise<EverythingReport> {
  vi.stubGlobal('fetch', alteredFetch(altered))
  return verifyEverything({ base_url: api.base_url, ...TRUSTED, ...options })
}

/** Checks that failed. */
const failed = ({ checks }: EverythingReport) => checks.filter((one) => one.failed > 0).map(({ check }) => check)

describe('a deployment that is as it should be', () => {
  let report: EverythingReport
  let root_hash = ''
  beforeAll(async () => {
    root_hash = ((await api.get('/governance/roster')).body.data as { record_hash: string }).record_hash
    report = await verify({ seen: checkpoint(), root_hash })
  })

  test('verifies in every check', () => {
    expect(report.failures).toEqual([])
    expect(report.ok).toBe(true)
    const unchecked = report.checks.filter(({ checked }) => checked === 0).map(({ check }) => check)
    const of_governed = ['approved', 'announced', 'restated']
    expect(unchecked.filter((check) => !of_governed.includes(check))).toEqual([])
    expect(report.log).toMatchObject({ origin: LOG_KEY.key.name })
  })

  test('says what nobody trusted beforehand, and so was not checked', async () => {
    const { ok, checks } = await verify({ vkey: null, witnesses: [], since: NO_LEVELS })
    const skipped = checks.filter((one) => one.skipped !== null).map(({ check }) => check)
    expect([ok, skipped]).toEqual([true, expect.arrayContaining(['key', 'consistency', 'witness', 'roster_chain'])])
  })
})

describe('a deployment is rejected', () => {
  test('whose level, its inputs or quotes are others, or that leaves a level out', async () => {
    let pages = 0
    const report = await verify(
      {},
      {
        api: (path, body) => {
          if (path.endsWith('/prices') && path.startsWith('/indexes/') && pages++ === 0) {
            const { records } = body.meta.receipt
            body.data[0].level = '1'
            records[1].record_text = records[1].record_text.replace(/"level":"\d/, '"level":"9')
            body.data.pop()
            records.pop()
          }
          if (path.endsWith('/constituents')) body.data[0].target_weight = '0.123'
        },
      },
    )
    expect(failed(report)).toEqual(expect.arrayContaining(['levels', 'included', 'complete']))
    expect(report.failures.some(({ subject }) => subject.startsWith('constituents'))).toBe(true)
  })

  const roster = (change: (data: Record<string, unknown>) => void): Alterations => ({
    api: (path, body) => {
      if (path === '/governance/roster') change(body.data)
    },
  })
  const acts = (change: (data: Record<string, unknown>[]) => void): Alterations => ({
    api: (path, body) => {
      if (path === '/governance/acts') change(body.data)
    },
  })
  const HISTORY = /^\/governance\/proposals\/prp_[0-9a-f]+$/

  const FAULTS: readonly (readonly [string, EverythingCheck, Partial<VerifyEverythingOptions>, Alterations])[] = [
    [
      'whose roster has another text',
      'roster_chain',
      {},
      roster((data) => {
        data.signed_content = String(data.signed_content).replace('"threshold":1', '"threshold":2')
      }),
    ],
    ['whose roster does not follow from the trusted one', 'roster_chain', { root_hash: '0'.repeat(64) }, {}],
    [
      'whose policy names another one before it',
      'policy_chain',
      {},
      {
        api: (path, body) => {
          if (path === '/governance/policy') body.data.previous_hash = '0'.repeat(64)
        },
      },
    ],
    [
      'with an act that nobody signed',
      'act_signatures',
      {},
      acts((data) => {
        data[1]!.signature = '0'.repeat(128)
      }),
    ],
    [
      'with an act whose text was changed and signed by nobody',
      'act_signatures',
      {},
      acts((data) => {
        data[1]!.signed_text = String(data[1]!.signed_text).replace('"acted_at":"2', '"acted_at":"3')
      }),
    ],
    [
      'that leaves a vote out',
      'acts',
      {},
      acts((data) => {
        data.splice(
          data.findIndex(({ act }) => act === 'vote'),
          1,
        )
      }),
    ],
    [
      'whose proposal has a state that does not follow from the acts',
      'decisions',
      {},
      {
        api: (path, body) => {
          if (HISTORY.test(path)) body.data.history.at(-1).state = 'vetoed'
        },
      },
    ],
    [
      'whose proposal is served otherwise than it was logged',
      'included',
      {},
      {
        api: (path, body) => {
          if (HISTORY.test(path)) body.data.history[0].rationale = 'another reason'
        },
      },
    ],
    [
      'with a bit flipped in a tile of the log',
      'log',
      {},
      {
        log: (path, bytes) => {
          if (path.startsWith('tile/0/')) bytes[5]! ^= 1
        },
      },
    ],
    ['that no witness of ours cosigned', 'witness', { witnesses: [keyText(testKey('witness.example/w2', 4).key)] }, {}],
    ['whose log was rolled back', 'consistency', { seen: signedHead(10 ** 6) }, {}],
    ['whose log has another history than we saw', 'consistency', { seen: signedHead(7) }, {}],
  ]
  test.each(FAULTS)('%s', async (_name, check, options, altered) => {
    const report = await verify({ since: NO_LEVELS, ...options }, altered)
    expect([report.ok, failed(report)]).toEqual([false, expect.arrayContaining([check])])
  })

  test('whose log is of another key than the trusted one', async () => {
    const { key } = testKey('log.example/other')
    const report = await verify({ since: NO_LEVELS, vkey: keyText({ ...key, name: LOG_KEY.key.name }) })
    expect(failed(report)).toEqual(expect.arrayContaining(['key', 'log']))
  })
})

test('an address that does not answer cannot be verified', async () => {
  await expect(verifyEverything({ base_url: 'http://127.0.0.1:9' })).rejects.toThrow('does not answer')
})

/** A signed checkpoint that the log never had. */
function signedHead(size: number): string {
  const text = checkpointText({ origin: LOG_KEY.key.name, size, root: EMPTY_ROOT })
  return noteOf({ text, signatures: [signedBy(LOG_KEY, text)] })
}
