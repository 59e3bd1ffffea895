import { type CommandContext, defineCommand } from '../command.ts'
import { reviewCommands } from '../review/review-commands.ts'
import type { ReviewGroup } from '../review/review-group.ts'
import { ratingBacktestCommand } from './rating-backtest.ts'
import { ratingListCommand } from './rating-list.ts'
import { ratingRunCommand } from './rating-run.ts'
import { ratingShowCommand } from './rating-show.ts'
import { ratingSubmitCommand } from './rating-submit.ts'

/** Ratings under review. */
const RATING_GROUP: ReviewGroup = {
  name: 'rating',
  record: 'rat_example',
  grade: 'band',
  example: 'MR4',
  subject: async () => (await import('../../operations/rating/rating-subject.ts')).RATING_SUBJECT,
}

/** `tidemark rating ...`: rate markets, read ratings, review them. */
export function ratingCommand(context: CommandContext) {
  const group = defineCommand('rating', 'rate markets, read ratings, review them')
  group.addCommand(ratingRunCommand(context))
  group.addCommand(ratingListCommand(context))
  group.addCommand(ratingShowCommand(context))
  group.addCommand(ratingSubmitCommand(context, RATING_GROUP))
  group.addCommand(ratingBacktestCommand(context))
  for (const command of reviewCommands(context, RATING_GROUP)) group.addCommand(command)
  return group
}
