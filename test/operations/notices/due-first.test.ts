import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { adoptionOf } from '../../../operations/governance/change-of-file.ts'
import { actOnComplaint } from '../../../operations/notices/act-on-complaint.ts'
import { noticeActOfFile } from '../../../operations/notices/publish-written-notice.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { governedIndex, january, PEOPLE } from '../../support/governed-index.ts'
import { tempFolder } from '../../support/temp-folder.ts'

test('acts on complaints and notices perform what is due first', async () => {
  const folder = tempFolder()
  const world = await governedIndex(folder)
  await world.govern()
  const { warehouse } = world
  const adopting = async (index_id: string) => {
    const { proposal } = await world.propose(PEOPLE.ann, await adoptionOf(warehouse, index_id))
    await world.approve(proposal!.proposal_id, PEOPLE.ben)
    return async () => (await world.acts.state()).proposals.get(proposal!.proposal_id)!.state
  }
  const adopted = await adopting('idx_tide')
  expect(await adopted()).toBe('queued')
  world.at(january(10, 1))
  const filed = {
    ...{ complaint_id: 'cmp_1', filed_at: formatMicros(january(10)), text: 'The vote was late.' },
    ...{ subject_kind: 'other', subject_id: null, contact: null },
  } as const
  const box = { read: async () => filed, close: async () => undefined, list: async () => [filed], file: async () => {} }
  const ports = { warehouse, box } as unknown as Parameters<typeof actOnComplaint>[0]
  await actOnComplaint(ports, PEOPLE.cat.signer, 'cmp_1', { act: 'publish_complaint', text: null })
  expect(await adopted()).toBe('effective')
  const suspend = { index_id: 'idx_tide', status: 'suspended', effective_from: formatMicros(january(13)) }
  const { proposal } = await world.propose(PEOPLE.ann, { kind: 'index_status', content: suspend })
  await world.approve(proposal!.proposal_id, PEOPLE.ben, PEOPLE.cat, PEOPLE.olaf)
  world.at(january(12))
  const file = join(folder, 'notice.yaml')
  writeFileSync(file, 'notice: { kind: announcement, title: News, text: "Something happened." }\n')
  await noticeActOfFile(warehouse, PEOPLE.ann.signer, file)
  expect((await world.acts.state()).proposals.get(proposal!.proposal_id)!.state).toBe('queued')
  await warehouse.close()
}, 60_000)
