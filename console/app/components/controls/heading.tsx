import { Title, type TitleProps } from '@mantine/core'
import type { ReactNode } from 'react'

type HeadingProps = Omit<TitleProps, 'children' | 'order' | 'size'> & { readonly text: ReactNode }

/** The title of a part of a page. */
export function Heading({ text, ...rest }: HeadingProps) {
  return (
    <Title order={2} size="h5" {...rest}>
      {text}
    </Title>
  )
}
