import { join } from 'node:path'
import type { Verification } from '../../operations/review/verify-record.ts'
import type { Settings } from '../../service/configuration.ts'
import { EXIT } from '../../service/exit-codes.ts'
import type { Output } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import type { ReviewGroup } from './review-group.ts'
import { rosterOption } from './review-ports.ts'

/** `tidemark rating verify RECORD`: recomputes a record from stored data; exits 1 and names the first difference. */
export function verifyCommand(context: CommandContext, group: ReviewGroup) {
  const command = defineCommand('verify', 'recompute a record from stored data and check the signatures of its acts', [
    `tidemark ${group.name} verify ${group.record}`,
    `tidemark ${group.name} verify ${group.record} --json`,
  ])
    .argument('<record>', 'id of the record')
    .addOption(rosterOption())
  return onAction<{ roster?: string }>(command, context, async ({ args, options, settings, output }) => {
    const { verifyRecord } = await import('../../operations/review/verify-record.ts')
    const subject = await group.subject()
    const { rosterHistory } = await import('../../operations/review/read-roster.ts')
    const verification = await withWarehouse(settings, { create: false }, async (warehouse) => {
      const roster = await rosterHistory(warehouse, settings.home, options.roster ?? null)
      if (roster(await warehouse.now()) === null) noteMissing(settings, output)
      return verifyRecord(subject, args[0]!, { warehouse, roster })
    })
    await (output.json ? output.document(verification) : print(output, verification))
    return verification.ok ? EXIT.done : EXIT.no
  })
}

function noteMissing({ home }: Settings, output: Output): void {
  output.note(`${join(home, 'roster.yaml')} not found: the signers' keys are not checked`)
}

async function print(output: Output, { record_id, checks, violation }: Verification): Promise<void> {
  await output.table(
    ['record', 'check', 'holds'],
    checks.map(({ record_id: on, check, detail }) => [on, check, detail]),
  )
  if (violation === null) return output.line(`${record_id} holds`)
  await output.line(`${violation.record_id}: ${violation.detail} (${violation.rule})`)
}
