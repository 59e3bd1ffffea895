import { type CommandContext, defineCommand } from '../command.ts'
import { reviewCommands } from '../review/review-commands.ts'
import type { ReviewGroup } from '../review/review-group.ts'
import { severityBacktestCommand } from './severity-backtest.ts'
import { severityForecastCommand } from './severity-forecast.ts'
import { severityIndexCommand } from './severity-index.ts'
import { severityListCommand } from './severity-list.ts'
import { severityRunCommand } from './severity-run.ts'
import { severityShowCommand } from './severity-show.ts'

/** Severity assessments under review. */
const SEVERITY_GROUP: ReviewGroup = {
  name: 'severity',
  record: 'asm_example',
  grade: 'level',
  example: 'SEV-2',
  subject: async () => (await import('../../operations/severity/severity-subject.ts')).SEVERITY_SUBJECT,
}

/** `tidemark severity ...`: assess events, read assessments, review them, publish severity indexes. */
export function severityCommand(context: CommandContext) {
  const group = defineCommand('severity', 'assess events, read and review assessments, publish severity indexes')
  group.addCommand(severityRunCommand(context))
  group.addCommand(severityListCommand(context))
  group.addCommand(severityShowCommand(context))
  group.addCommand(severityForecastCommand(context, SEVERITY_GROUP))
  group.addCommand(severityIndexCommand(context))
  group.addCommand(severityBacktestCommand(context))
  for (const command of reviewCommands(context, SEVERITY_GROUP)) group.addCommand(command)
  return group
}
