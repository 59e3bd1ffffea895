/** A command of a document's console block, and the output that the document shows under it. */
export type ConsoleStep = { readonly command: string; readonly output: string }

/** The steps of all ```console blocks of a document, in order: a line `$ command`, then its output up to the next one. */
export function consoleSteps(document: string): ConsoleStep[] {
  const blocks = [...document.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map((match) => match[1]!)
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const end = step.indexOf('\n')
        return { command: step.slice(0, end), output: step.slice(end + 1) }
      }),
  )
}

/** The words of a command line: blanks separate, double quotes hold together; no other shell syntax. */
export function commandWords(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!)
}
