import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { openComplaintBox } from '../../operations/notices/complaint-box.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { governHome, PEOPLE } from '../support/notice-world.ts'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { tideWarehouse } from '../support/tide-warehouse.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const home = tempFolder()
const file = (name: string) => join(home, name)
const run = (...argv: string[]) => tidemark(argv, { environment: { TIDEMARK_HOME: home } })
const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout)

beforeAll(async () => {
  const { root } = await tideWarehouse(home)
  const warehouse = await openWarehouse({ root, create: false })
  await governHome(warehouse)
  await warehouse.close()
  for (const [name, { pem }] of Object.entries(PEOPLE)) writeFileSync(file(`${name}.pem`), pem)
})

test('what is due is published by the command that performs what is due, and listed', async () => {
  expect((await run('governance', 'notice', 'list')).stdout).toBe('no notices\n')
  expect((await run('governance', 'advance')).stdout).toBe('acts performed: 0; notices published: 4\n')
  expect((await run('governance', 'notice', 'list')).stdout).toMatch(/announcement +In force: new governance policy/)
  const calendar = await run('governance', 'calendar')
  expect(calendar.stdout).toMatch(/roster_expiry +The roster \(version 1\) expires/)
})

test('a member publishes a notice, and a correction that names it', async () => {
  writeFileSync(
    file('notice.yaml'),
    'notice: { kind: degraded_service, title: Maintenance, text: No levels., index_id: idx_tide, starts_at: 2026-01-05T00:00:00Z }',
  )
  const publish = ['governance', 'notice', 'publish', file('notice.yaml'), '--key']
  const { notice_id } = await json(...publish, file('operator.pem'))
  const refused = await run(...publish, file('analyst.pem'))
  expect(refused).toMatchObject({ exit_code: 2 })
  expect(refused.stderr).toContain('REVIEW_NOT_ALLOWED')
  const correction = `notice: { kind: correction, title: Wrong day, text: The 6th., corrects_notice_id: ${notice_id} }`
  writeFileSync(file('correction.yaml'), correction)
  const made = await run('governance', 'notice', 'publish', file('correction.yaml'), '--key', file('member.pem'))
  expect(made.stdout).toMatch(/^published ntc_[0-9a-f]{32}: Wrong day\n$/)
  const changes = [{ record_id: 'obs_1', at: null, field: 'level', old_value: '10.0', new_value: null }]
  const notice = { kind: 'correction', title: 'Wrong level', text: 'It was read twice.', changes }
  writeFileSync(file('changes.yaml'), JSON.stringify({ notice }))
  const corrected = await json('governance', 'notice', 'publish', file('changes.yaml'), '--key', file('member.pem'))
  const listed = (await json('governance', 'notice', 'list')) as { notice_id: string; changes: unknown }[]
  expect(listed.find(({ notice_id }) => notice_id === corrected.notice_id)?.changes).toEqual(changes)
  const again = await run('governance', 'notice', 'publish', file('correction.yaml'), '--key', file('member.pem'))
  expect(again.stdout).toBe(made.stdout.replace('published', 'known already'))
})

test('a complaint goes from the box to its outcome', async () => {
  const complaint_id = 'cmp_1'
  await openComplaintBox(home, 10).file({
    ...{ complaint_id, filed_at: '2026-01-04T00:00:00Z', subject_kind: 'index', subject_id: 'idx_tide' },
    ...{ text: 'Jane says: the level is wrong.', contact: 'jane@example.com' },
  })
  const of = (name: string, ...options: string[]) => run('governance', 'complaint', name, complaint_id, ...options)
  expect((await run('governance', 'complaint', 'list')).stdout).toMatch(/cmp_1 +received +idx_tide .*Jane says/)
  writeFileSync(file('redacted.txt'), 'The level is wrong.\n')
  const steps = [
    await of('publish', '--redacted', file('redacted.txt'), '--key', file('operator.pem')),
    await of('assign', '--to', 'overseer', '--key', file('member.pem')),
    await of('resolve', '--outcome', 'rejected', '--reason', 'It is right.', '--key', file('overseer.pem')),
  ]
  expect(steps.map(({ stdout }) => stdout)).toEqual([
    'cmp_1 is published\n',
    'cmp_1 is assigned\n',
    'cmp_1 is resolved\n',
  ])
  expect((await run('governance', 'complaint', 'list')).stdout).toMatch(
    /cmp_1 +resolved .*rejected +The level is wrong/,
  )
  expect((await run('governance', 'notice', 'list')).stdout).toMatch(/complaint_outcome +Complaint cmp_1: rejected/)
  expect((await run('sql', 'select state from governance_complaint')).stdout).toContain('resolved')
  const declined = await of('decline', '--reason', 'late', '--key', file('operator.pem'))
  expect(declined.stderr).toContain('resolved, in which decline_complaint is refused')
})

test('a factsheet has the rule, the weights, the history, the states, the versions and the notices, and no script of others', async () => {
  const out = file('factsheet.html')
  expect((await run('index', 'factsheet', 'idx_tide', '--out', out)).stdout).toBe(`factsheet written to ${out}\n`)
  const page = readFileSync(out, 'utf8')
  for (const part of [
    'Rule of the version',
    'Constituents and weights',
    'Markets of each constituent',
    'Change of the level',
    'Levels by quality state',
    'probability_0_1',
    'The last level is of 2026-01-07T00:00:00Z.',
  ])
    expect(page).toContain(part)
  expect(page).toContain('Maintenance')
  expect(page).toMatch(/<b>55\.0000<\/b>|<b>\d+\.\d{4}<\/b>/)
  expect(page).not.toMatch(/<script src|https?:\/\/(?!www\.w3\.org)/)
  const past = await run('index', 'factsheet', 'idx_tide', '--out', out, '--as-of', '2026-01-03T00:00:00Z')
  expect(past.exit_code).toBe(0)
  expect(readFileSync(out, 'utf8')).not.toContain('Maintenance')
  expect((await run('index', 'factsheet', 'idx_absent', '--out', out)).exit_code).toBe(3)
})
