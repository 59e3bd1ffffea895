import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from '../../primitives/escape-html.ts'
import { block, table } from './html-parts.ts'

/** Address on the site of a link or picture of a page; null: the site does not have it. */
export type LinkTarget = (target: string) => string | null

/** Heading with its anchor, and the plain text below it. */
type Section = { readonly level: number; readonly title: string; readonly anchor: string; readonly text: string }

/** A page of Markdown as HTML: the title is apart from the body, sections are for contents and search. */
export type RenderedMarkdown = {
  readonly title: string
  readonly html: string
  readonly sections: readonly Section[]
}

/** Renders a page of the documentation. HTML in it is dropped: comments mark generated parts, and nothing else has any. */
export function renderMarkdown(text: string, hrefOf: LinkTarget): RenderedMarkdown {
  const marked = new Marked({ gfm: true })
  const tokens = marked.lexer(text)
  const sections = sectionsOf(tokens)
  const anchors = sections.map(({ anchor }) => anchor)
  marked.use({ renderer: rendererOf(hrefOf, anchors) })
  return { title: sections[0]?.title ?? '', html: marked.parser(tokens.filter((token) => !isTitle(token))), sections }
}

function isTitle(token: Token): boolean {
  return token.type === 'heading' && (token as Tokens.Heading).depth === 1
}

/** Splits a page at its headings. */
function sectionsOf(tokens: readonly Token[]): readonly Section[] {
  const found: { level: number; title: string; anchor: string; text: string }[] = []
  const used = new Map<string, number>()
  for (const token of tokens) {
    const heading = token.type === 'heading' ? (token as Tokens.Heading) : null
    if (heading === null) {
      const last = found.at(-1)
      if (last !== undefined) last.text += ` ${plainText(token)}`
      continue
    }
    const title = plainText(heading).trim()
    found.push({ level: heading.depth, title, anchor: anchorOf(title, used), text: '' })
  }
  return found
}

/** Returns the anchor of a heading as code hosts make it; a repeated one is numbered. */
function anchorOf(title: string, used: Map<string, number>): string {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
  const before = used.get(slug) ?? 0
  used.set(slug, before + 1)
  return before === 0 ? slug : `${slug}-${before}`
}

type Parts = {
  readonly text?: string
  readonly tokens?: readonly Token[]
  readonly items?: readonly Token[]
  readonly header?: readonly Parts[]
  readonly rows?: readonly (readonly Parts[])[]
}

/** Returns the words of a token without its marks. */
function plainText(token: Token | Parts): string {
  if ((token as Token).type === 'html') return ''
  const { text = '', tokens, items, header, rows } = token as Parts
  const cells = [header ?? [], ...(rows ?? [])].flat()
  const parts = [...(tokens ?? []), ...(items ?? []), ...cells]
  const words = parts.length === 0 ? text : parts.map(plainText).join(cells.length > 0 ? ' ' : '')
  return words.replaceAll(/\s+/g, ' ')
}

/** Creates the renderer of one page. `anchors` are those of its headings, in order; the title's is first and is not rendered. */
function rendererOf(hrefOf: LinkTarget, anchors: readonly string[]) {
  let heading_ordinal = 0
  return {
    heading(this: { parser: InlineParser }, { depth, tokens }: Tokens.Heading): string {
      heading_ordinal += 1
      const anchor = escapeHtml(anchors[heading_ordinal] ?? '')
      const inner = this.parser.parseInline(tokens)
      return `<h${depth} id="${anchor}">${inner} <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${depth}>\n`
    },
    code({ text }: Tokens.Code): string {
      return block(text)
    },
    html(): string {
      return ''
    },
    table(this: { parser: InlineParser }, { header, rows }: Tokens.Table): string {
      const inner = (cells: readonly Tokens.TableCell[]) => cells.map(({ tokens }) => this.parser.parseInline(tokens))
      return table(inner(header), rows.map(inner))
    },
    link(this: { parser: InlineParser }, { href, tokens }: Tokens.Link): string {
      const inner = this.parser.parseInline(tokens)
      const target = hrefOf(href)
      if (target === null) return `<span class="file" title="a file of the project">${inner}</span>`
      const outside = target.startsWith('/') || target.startsWith('#') ? '' : ' rel="noopener noreferrer"'
      return `<a href="${escapeHtml(target)}"${outside}>${inner}</a>`
    },
    image({ href, text }: Tokens.Image): string {
      const target = hrefOf(href)
      return target === null
        ? escapeHtml(text)
        : `<img src="${escapeHtml(target)}" alt="${escapeHtml(text)}" loading="lazy">`
    },
  }
}

type InlineParser = { parseInline(tokens: Token[]): string }
