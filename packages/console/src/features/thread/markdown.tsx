import { linkify } from '@crmkit/widget/linkify'
import { type MarkdownNode, readMarkdown } from '@crmkit/widget/markdown'
import { type ComponentChildren, h, type JSX } from 'preact'

interface WrittenProps {
  readonly content: string
  readonly contentType: string
}

/** A text as its readers see it. Markdown is read by the function that the chat uses; nothing of a text becomes markup. */
export function Written({ content, contentType }: WrittenProps): JSX.Element {
  return <>{contentType === 'markdown' ? readMarkdown(content).map(elementOf) : linked(content)}</>
}

/** Addresses in a text as links. */
function linked(text: string): ComponentChildren[] {
  return linkify(text).map(({ text: part, href }) => (href === undefined ? part : linkTo(href, part)))
}

/** Opens another tab, which learns nothing of this one. */
function linkTo(href: string, children: ComponentChildren): JSX.Element {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

function elementOf(node: MarkdownNode): ComponentChildren {
  if (typeof node === 'string') return node
  const children = node.children.map(elementOf)
  return node.href === undefined ? h(node.tag, {}, children) : linkTo(node.href, children)
}
