import type { CommandContext } from '../command.ts'
import { defineCommand } from '../command.ts'
import { researchFillsCommand } from './research-fills.ts'

/** `tidemark research`: studies over the public record of markets listed here. */
export function researchCommand(context: CommandContext) {
  return defineCommand('research', 'study the public record of markets listed here').addCommand(
    researchFillsCommand(context),
  )
}
