import type { Command } from 'commander'
import type { NoticeRow } from '../../operations/notices/read-facts.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'
import { keyOption, loadSigner, passphraseOption, type SignerOptions, signerOption } from '../review/signer-options.ts'

/** `tidemark governance notice ...`: what was announced, corrected and impaired. */
export function noticeCommand(context: CommandContext): Command {
  const group = defineCommand('notice', 'notices: announcements, corrections, degraded service, ends, outcomes')
  group.addCommand(listCommand(context))
  group.addCommand(publishCommand(context))
  return group
}

function listCommand(context: CommandContext) {
  const command = defineCommand('list', 'list notices, latest first', [
    'tidemark governance notice list',
    'tidemark governance notice list --json',
  ]).addOption(asOfOption())
  return onAction<{ asOf?: string }>(command, context, async ({ options, settings, output }) => {
    const { readNotices } = await import('../../operations/notices/read-notices.ts')
    const notices = await withWarehouse(settings, { create: false }, (warehouse) =>
      readNotices(warehouse, options.asOf ?? null),
    )
    const latest = notices.toReversed()
    if (output.json) return void (await output.document(latest))
    if (latest.length === 0) return void (await output.line('no notices'))
    await output.table(
      ['published', 'notice', 'kind', 'title', 'cause', 'by'],
      latest.map((row: NoticeRow) => [
        row.published_at,
        row.notice_id,
        row.kind,
        row.title,
        row.cause,
        row.actor_id ?? 'the service',
      ]),
    )
  })
}

function publishCommand(context: CommandContext) {
  const command = defineCommand('publish', 'publish a notice that you wrote, signed; it can never be changed', [
    'tidemark governance notice publish notice.yaml --key member.pem',
  ])
    .argument('<file>', 'notice (YAML or JSON)')
    .addOption(keyOption())
    .addOption(passphraseOption())
    .addOption(signerOption())
  return onAction<SignerOptions>(command, context, async ({ args, options, settings, output }) => {
    const { noticeActOfFile, publishWrittenNotice } = await import('../../operations/notices/publish-written-notice.ts')
    const signer = await loadSigner(options)
    const { notice, is_new } = await withWarehouse(settings, { create: false }, async (warehouse) =>
      publishWrittenNotice(warehouse, await noticeActOfFile(warehouse, signer, args[0]!)),
    )
    const state = is_new ? 'published' : 'known already'
    await (output.json ? output.document(notice) : output.line(`${state} ${notice.notice_id}: ${notice.title}`))
  })
}
