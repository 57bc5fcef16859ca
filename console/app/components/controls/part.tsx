import { Group, Paper, type PaperProps } from '@mantine/core'
import type { ReactNode } from 'react'
import pane from '../pane.module.css'
import { Heading } from './heading.tsx'

type Props = PaperProps & {
  readonly title: string
  /** At the other end of the line of the title. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A part of a page with its title, which nothing is read for. */
export function Part({ title, aside, children, className = '', ...rest }: Props) {
  const heading = <Heading text={title} />
  return (
    <Paper
      component="section"
      aria-label={title}
      withBorder
      p="md"
      className={`${pane.pane} ${className}`}
      {...rest}
    >
      {aside === undefined ? (
        heading
      ) : (
        <Group justify="space-between">
          {heading}
          {aside}
        </Group>
      )}
      {children}
    </Paper>
  )
}
