import { Paper, Skeleton, Stack, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { isOutage } from '../ui/errors.ts'
import { defineTexts, useTexts } from '../ui/texts.ts'
import styles from './pane.module.css'
import { Trouble } from './trouble.tsx'

const texts = defineTexts({ reading: ['Reading', 'Wird gelesen'] })

type Props<Data> = {
  readonly title: string
  /** Beside the title. */
  readonly aside?: ReactNode
  /** Between the title and what was read, there whatever was read. */
  readonly tools?: ReactNode
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}

/**
 * A part of the page that shows one thing that is read: it, its absence so far, or its trouble.
 * That the server is out of reach is said by the page, once.
 */
export function Pane<Data>({ title, aside, tools, query, children }: Props<Data>) {
  const id = useId()
  const { data, error } = query
  return (
    <Paper component="section" aria-labelledby={id} withBorder p="md" className={styles.pane}>
      <div className={styles.head}>
        <Title order={2} size="h5" id={id} className={styles.title}>
          {title}
        </Title>
        {aside}
      </div>
      {tools}
      {error !== null && !isOutage(error) && <Trouble error={error} isShown={data !== undefined} />}
      {data === undefined && (error === null || isOutage(error)) && <Waiting />}
      {data !== undefined && children(data)}
    </Paper>
  )
}

function Waiting() {
  const t = useTexts(texts)
  return (
    <Stack gap="xs" mt="xs" role="status" aria-label={t.reading}>
      <Skeleton height={18} />
      <Skeleton height={18} width="80%" />
      <Skeleton height={18} width="60%" />
    </Stack>
  )
}
