import { createHash } from 'node:crypto'
import { type Markup, markup, trusted } from './markup.ts'
import { SCRIPT } from './script.ts'
import { patternDefs } from './state-patterns.ts'
import { STYLE } from './style.ts'

/** One row of the header: a name and what it says; a `head` begins a group. */
export type Fact = { readonly name: string; readonly value: string | Markup; readonly head?: boolean }

/** One number at the top, with what it is. */
export type Figure = { readonly value: string; readonly name: string }

export type Page = {
  readonly title: string
  /** Kind of report. */
  readonly kind: string
  readonly heading: string
  readonly about: string | null
  readonly facts: readonly Fact[]
  readonly figures: readonly Figure[]
  /** The finding in one sentence; `alarm` where somebody should look. */
  readonly verdict: { readonly text: string; readonly alarm: boolean }
  readonly sections: readonly (Markup | null)[]
  readonly footer: Markup
}

/** Nothing is loaded, nothing is sent, and no script runs but ours. */
const POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`

/** One self-contained HTML file. */
export function renderPage(page: Page): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
${patternDefs()}
<main>
<header>
<p class="kind">${page.kind}</p>
<h1>${page.heading}</h1>
${page.about === null ? null : markup`<p class="about">${page.about}</p>`}
<dl class="facts">${page.facts.map(({ name, value, head }) => markup`<div class="${head === true ? 'head' : ''}"><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
<ul class="figures">${page.figures.map(({ value, name }) => markup`<li><b>${value}</b><span>${name}</span></li>\n`)}</ul>
<p class="verdict${page.verdict.alarm ? ' alarm' : ''}">${page.verdict.text}</p>
</header>
${page.sections}
<footer>${page.footer}</footer>
</main>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`.text
}

/** A part of a page under its heading; null parts are left out. */
export function section(heading: string, ...parts: readonly (Markup | null)[]): Markup {
  return markup`<section><h2>${heading}</h2>\n${parts}</section>\n`
}

/** One line of explanation. */
export function lead(text: string): Markup {
  return markup`<p class="lead">${text}</p>\n`
}
