import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { copySample } from '../support/run/run-sample.ts'
import { tidemark } from '../support/run-cli.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** The worked example of docs/eligibility.md, as a newcomer runs it over the sample. */
const home = tempFolder()
const run = (...argv: string[]) => tidemark(argv, { environment: { TIDEMARK_HOME: home } })
const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout)
const text = readFileSync(join(ROOT, 'docs/eligibility.md'), 'utf8')

/** Commands of the example, in order, but for the one that makes the sample. */
const COMMANDS = [
  ...text.slice(text.indexOf('## Try it'), text.indexOf('## Policies')).matchAll(/npx tidemark (.+)$/gm),
]
  .map(([, command]) => command!)
  .filter((command) => !command.startsWith('up '))

beforeAll(() => copySample(home), 400_000)

describe('docs/eligibility.md', () => {
  test('each command of the example runs', async () => {
    expect(COMMANDS).toHaveLength(7)
    for (const command of COMMANDS) {
      const argv = command.split(' ').map((word) => (word.startsWith('datasets/') ? join(ROOT, word) : word))
      const { exit_code, stderr } = await run(...argv)
      expect([command, exit_code, stderr]).toEqual([command, 0, ''])
    }
  }, 120_000)

  test('six markets are eligible, the five most traded of them are selected, and what is published is the same', async () => {
    const [policy, index] = ['sample-policy.yaml', 'most-traded.yaml'].map((name) =>
      join(ROOT, 'datasets/eligibility', name),
    )
    const as_of = ['--as-of', '2025-12-04T00:00:00Z']
    const { markets } = await json('eligibility', 'evaluate', '--policy', policy!, ...as_of)
    const eligible = markets.filter((one: { status: string }) => one.status === 'eligible')
    expect(eligible).toHaveLength(6)
    const { candidates, definition } = await json('index', 'select', index!, ...as_of)
    const selected = candidates.filter((one: { is_selected: boolean }) => one.is_selected)
    expect(selected.map((one: { rank: number }) => one.rank)).toEqual([1, 2, 3, 4, 5])
    expect(selected[0]).toMatchObject({
      target_weight: '0.2000000000',
      facts: expect.arrayContaining([expect.objectContaining({ fact: 'spread' })]),
    })
    const { pro_formas, faults } = await json('index', 'proforma', 'idx_most_traded')
    expect([pro_formas.length, faults]).toEqual([1, null])
    expect(pro_formas[0].definition.constituents).toEqual(definition.constituents)
    const shown = await json('index', 'show', 'idx_most_traded')
    const one = (await json('index', 'list')).find(
      ({ index_id }: { index_id: string }) => index_id === 'idx_most_traded',
    )
    expect(shown.active_version).toBe(one.active_version)
    const ids = (rows: readonly { constituent_id: string }[]) => rows.map((one) => one.constituent_id).sort()
    expect(ids(shown.versions[0].constituents)).toEqual(ids(definition.constituents))
    const listed = await json('sql', 'select market_id, policy_id from eligibility_decision')
    expect(listed.rows ?? listed).toEqual([])
  }, 120_000)

  test('today each has drifted, and is to be proposed for removal', async () => {
    const drift = await json('index', 'eligibility', 'idx_most_traded')
    expect(drift.proposal.removals).toHaveLength(5)
    for (const one of drift.constituents) expect(one.reason_codes).toContain('TIME_TO_RESOLUTION_TOO_LOW')
    expect((await run('index', 'eligibility', 'idx_most_traded')).stdout).toContain(
      'draft it: tidemark governance drift idx_most_traded --out draft.yaml',
    )
    const out = join(home, 'draft.yaml')
    const none = await run('governance', 'drift', 'idx_most_traded', '--out', out)
    expect([none.exit_code, none.stderr]).toEqual([2, expect.stringContaining('without an eligible market among')])
    expect(none.stderr).toContain('otherwise suspend it (form index_status) or end it (form cessation)')
    expect(existsSync(out)).toBe(false)
    // By the facts of the sample week, markets were left.
    const early = ['--effective-from', '2025-12-06T00:00:00Z']
    const drafted = await run('governance', 'drift', 'idx_most_traded', '--out', out, ...early)
    expect([drafted.exit_code, drafted.stderr]).toEqual([0, ''])
    expect(drafted.stdout.match(/^removes con_.* ineligible by pol_.* TIME_TO_RESOLUTION_TOO_LOW/gm)).toHaveLength(5)
    expect(drafted.stdout).toContain(`tidemark governance propose ${out} --rationale`)
    const { versions } = parse(readFileSync(out, 'utf8')) as { versions: readonly Record<string, unknown>[] }
    expect([versions.length, versions[0]!.version]).toEqual([1, expect.stringMatching(/-drift$/)])
    expect(versions[0]).not.toHaveProperty('constituents')
    const again = await run('governance', 'drift', 'idx_most_traded', '--out', out, ...early)
    expect([again.exit_code, again.stderr]).toEqual([2, expect.stringMatching(/out is .*allowed: a new file/)])
    expect((await run('governance', 'drift', 'idx_sample_harvest')).stderr).toContain(
      'index is idx_sample_harvest; allowed: an index with an ineligible constituent',
    )
    expect((await run('governance', 'drift', 'idx_most_traded', ...early)).stdout).toMatch(/^index:\n {2}/)
  }, 120_000)
})

test('an evaluation that is shown names its own instant, not the one of a published decision', async () => {
  const [{ market_id }] = await json('sql', 'select market_id from market limit 1')
  const as_of = '2025-12-05T00:00:00Z'
  const shown = await json('eligibility', 'show', market_id, '--as-of', as_of)
  expect([shown.evaluated_as_of, 'facts_as_of' in shown]).toEqual([as_of, false])
})

test('what cannot be done is refused with a sentence', async () => {
  expect((await run('eligibility', 'show', 'mkt_none')).stderr).toContain('MARKET_NOT_FOUND')
  expect((await run('eligibility', 'evaluate', '--policy', 'pol_none')).stderr).toContain('GOVERNANCE_NOT_FOUND')
  const listed = await run('index', 'select', 'idx_sample_harvest')
  expect([listed.exit_code, listed.stderr]).toEqual([2, expect.stringContaining('whose constituents are listed')])
  const range = ['--from', '2025-12-05T00:00:00Z', '--to', '2025-12-06T00:00:00Z']
  const replayed = await run('index', 'replay', join(ROOT, 'datasets/eligibility/most-traded.yaml'), ...range)
  expect([replayed.exit_code, replayed.stderr]).toEqual([2, expect.stringContaining('a selection in version 1')])
})
