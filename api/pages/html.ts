import { escapeHtml } from '../../primitives/escape-html.ts'
import { sidebar } from './sidebar.ts'

/** Options of a page. */
export type PageOptions = {
  /** Path of the page, such as /docs/guides/signing; the sidebar marks it. */
  readonly at: string
}

/** Renders a complete documentation page; `body` is HTML. */
export function page(title: string, body: string, { at }: PageOptions): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Tidemark</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
<script type="module" src="/docs/assets/site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the page</a>
<header><div class="bar"><a class="home" href="/docs">Tidemark docs</a>
<form class="search" role="search"><label for="search">Search</label><input id="search" type="search" maxlength="200" autocomplete="off" placeholder="Press / to search" aria-controls="found" aria-expanded="false" role="combobox" aria-autocomplete="list"><div id="found" role="listbox" aria-label="Search results" hidden></div></form>
<nav aria-label="Service"><a href="/">Console</a> <a href="/openapi.json">openapi.json</a> <a href="/asyncapi.json">asyncapi.json</a></nav></div></header>
<div class="columns">
<nav class="side" aria-label="Documentation"><details class="menu" open><summary>Menu</summary>
${sidebar(at)}
</details></nav>
<main id="content" tabindex="-1">
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</div>
</body>
</html>
`
}
