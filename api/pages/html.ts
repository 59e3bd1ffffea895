import { escapeHtml } from '../../primitives/escape-html.ts'

/** Renders a complete documentation page; `body` is HTML. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Tidemark</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header><nav aria-label="Documentation"><a href="/">Tidemark</a> <a href="/docs">Endpoints</a> <a href="/docs/stream">Stream</a>
<a href="/docs/errors">Errors</a> <a href="/openapi.json">openapi.json</a> <a href="/asyncapi.json">asyncapi.json</a></nav></header>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`
}

/** Renders a table; cells are HTML. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const cells = (tag: string, values: readonly string[]) => values.map((value) => `<${tag}>${value}</${tag}>`).join('')
  const lines = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n')
  return `<div class="wide"><table><thead><tr>${cells('th', head)}</tr></thead><tbody>\n${lines}\n</tbody></table></div>`
}

/** Renders inline code. */
export function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`
}

/** Renders a code block. */
export function block(text: string): string {
  return `<pre><code>${escapeHtml(text)}</code></pre>`
}

/** Renders one line of Markdown from a table in docs/: code between backticks, escaped bars, and the text of links. */
export function inlineMarkdown(text: string): string {
  const plain = text.replaceAll('\\|', '|').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
  return escapeHtml(plain).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

/** Style sheet of all documentation pages. */
export const STYLE = `:root{color-scheme:light dark;--ink:#14202b;--paper:#fff;--line:#d5dde4;--soft:#f2f5f7;--link:#0b5fa5}
@media (prefers-color-scheme:dark){:root{--ink:#e4ebf1;--paper:#10161c;--line:#2c3a46;--soft:#18212a;--link:#79b8f3}}
*{box-sizing:border-box}
body{margin:0;font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
header{border-bottom:1px solid var(--line);background:var(--soft)}
nav{max-width:64rem;margin:auto;padding:.75rem 1.25rem;display:flex;gap:1.25rem;flex-wrap:wrap}
nav a:first-child{font-weight:650}
main{max-width:64rem;margin:auto;padding:1.25rem}
a{color:var(--link)}
a:focus-visible{outline:2px solid var(--link);outline-offset:2px}
h1{font-size:1.7rem;line-height:1.2}
h2{margin-top:2.5rem;border-bottom:1px solid var(--line);padding-bottom:.25rem}
h3{margin:2rem 0 .25rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line)}
pre{background:var(--soft);border:1px solid var(--line);border-radius:6px;padding:.75rem;overflow-x:auto}
code{font:.9em/1.5 ui-monospace,monospace}
dt{font-weight:600;margin-top:.6rem}
dd{margin:0}
`
