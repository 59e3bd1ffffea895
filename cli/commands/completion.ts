import { Argument } from 'commander'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import type { Shell } from '../completion-script.ts'

/** `tidemark completion SHELL`: prints a script that completes commands, options, choices and index ids. */
export function completionCommand(context: CommandContext) {
  const command = defineCommand('completion', 'print a completion script for your shell', [
    'source <(tidemark completion bash)',
    'tidemark completion zsh > ~/.zfunc/_tidemark',
    'tidemark completion fish > ~/.config/fish/completions/tidemark.fish',
  ]).addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
  return onAction(command, context, async ({ args, output }) => {
    const { completionScript } = await import('../completion-script.ts')
    await output.write(completionScript(args[0] as Shell))
  })
}
