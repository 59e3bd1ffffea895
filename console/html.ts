import htm from 'htm'
import { type ComponentChildren, h, type VNode } from 'preact'

/** Markup as tagged templates: JSX without a compiler. */
export const html = htm.bind(h) as (strings: TemplateStringsArray, ...values: unknown[]) => VNode
export type Children = ComponentChildren
