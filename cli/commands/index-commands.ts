import { type CommandContext, defineCommand } from '../command.ts'
import { applyCommand } from './index-apply.ts'
import { candlesCommand } from './index-candles.ts'
import { computeCommand } from './index-compute.ts'
import { correctCommand } from './index-correct.ts'
import { diffCommand } from './index-diff.ts'
import { indexEligibilityCommand } from './index-eligibility.ts'
import { factsheetCommand } from './index-factsheet.ts'
import { knowledgeDiffCommand } from './index-knowledge-diff.ts'
import { listCommand } from './index-list.ts'
import { proFormaCommand } from './index-pro-forma.ts'
import { rebalanceCommand } from './index-rebalance.ts'
import { replayCommand } from './index-replay.ts'
import { bandCommand, robustnessCommand } from './index-robustness.ts'
import { selectCommand } from './index-select.ts'
import { showCommand } from './index-show.ts'
import { validateCommand } from './index-validate.ts'
import { verifyCommand } from './index-verify.ts'

const COMMANDS = [
  validateCommand,
  applyCommand,
  computeCommand,
  replayCommand,
  correctCommand,
  verifyCommand,
  diffCommand,
  knowledgeDiffCommand,
  listCommand,
  showCommand,
  candlesCommand,
  factsheetCommand,
  selectCommand,
  proFormaCommand,
  rebalanceCommand,
  indexEligibilityCommand,
  robustnessCommand,
  bandCommand,
]

/** `tidemark index ...`: define, publish, replay, correct and verify indexes. */
export function indexCommand(context: CommandContext) {
  const group = defineCommand('index', 'define, publish, replay, correct and verify indexes')
  for (const command of COMMANDS) group.addCommand(command(context))
  return group
}
