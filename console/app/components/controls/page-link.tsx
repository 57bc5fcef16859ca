import { Anchor, type AnchorProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ReactNode, Ref } from 'react'

type Props = Omit<AnchorProps, 'children'> & {
  readonly text: ReactNode
  readonly draggable?: boolean
  readonly ref?: Ref<HTMLAnchorElement>
}

function TextAnchor({ text, ...rest }: Props) {
  return (
    <Anchor size="sm" {...rest}>
      {text}
    </Anchor>
  )
}

/** A link to a page of the console. */
export const PageLink = createLink(TextAnchor)
