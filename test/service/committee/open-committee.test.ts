import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rosterFile } from '../../../operations/review/read-roster.ts'
import { committeeFolder, openCommittee } from '../../../service/committee/open-committee.ts'
import { person, rosterText } from '../../support/review-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

test('members are made once, and keep their keys', async () => {
  const home = tempFolder()
  const first = (await openCommittee(home))!
  const roster = readFileSync(rosterFile(home), 'utf8')
  expect(first.roster.members.map(({ actor_id, roles }) => [actor_id, roles])).toEqual([
    ['sandbox_analyst', ['analyst']],
    ['sandbox_member', ['committee']],
    ['sandbox_second', ['committee', 'analyst']],
    ['sandbox_third', ['committee']],
    ['sandbox_ombuds', ['committee']],
    ['sandbox_observer', ['observer']],
    ['sandbox_oversight', ['oversight']],
    ['sandbox_administrator', ['administrator', 'operator']],
    ['sandbox_deputy', ['administrator']],
    ['sandbox_runner', ['runner']],
    ['sandbox_second_runner', ['runner']],
  ])
  const again = (await openCommittee(home))!
  expect(again.roster).toEqual(first.roster)
  expect(readFileSync(rosterFile(home), 'utf8')).toBe(roster)
})

test('a home with a roster of its own is left as it is, and so is one whose roster no longer has the sandbox’s keys', async () => {
  const own = tempFolder()
  const text = rosterText([person('member_a', 'committee')])
  writeFileSync(rosterFile(own), text)
  expect(await openCommittee(own)).toBeNull()
  expect(readFileSync(rosterFile(own), 'utf8')).toBe(text)
  expect(existsSync(committeeFolder(own))).toBe(false)

  const replaced = tempFolder()
  await openCommittee(replaced)
  writeFileSync(rosterFile(replaced), text)
  expect(await openCommittee(replaced)).toBeNull()
  expect(existsSync(join(committeeFolder(replaced), 'member.pem'))).toBe(true)
})
