import type { SourceFile } from '../source-files.ts'
import { commentsOf, lineAt } from './parsed-source.ts'

/** Words with which no comment begins (CONTRIBUTING.md, "Language"); a line comment may give a condition first. */
const ODD_START = /^(What|Which|Who|Whom|Whose|Of|So|As|Where|How)\b/
const ODD_LINE_START = /^(What|Which|Who|Whom|Whose|Of|So|How)\b/

/** `path:line: text` of every doc block and line comment that begins with such a word. */
export function commentsThatBeginOddly(file: SourceFile): string[] {
  return commentsOf(file).flatMap(({ type, value, start }) => {
    const text = value.replace(/^[\s*]+/, '')
    const odd = type === 'Block' ? ODD_START : ODD_LINE_START
    if (!odd.test(text) || (type === 'Line' && goesOn(file.text.slice(0, start)))) return []
    return [`${file.path}:${lineAt(file.text, start)}: ${text.split('\n')[0]}`]
  })
}

/** Whether the line before is a line comment too. */
function goesOn(before: string): boolean {
  return /\n\s*\/\/[^\n]*\n\s*$/.test(`\n${before}`)
}
