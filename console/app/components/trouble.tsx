import { Alert, Code, Text } from '@mantine/core'
import { Problem } from '../api/problem.ts'
import { Icon } from './icon.tsx'

type Props = {
  readonly error: Error
  /** Whether something that was read before is shown below it. */
  readonly isShown?: boolean
}

/** A problem in words, with the code of the API. */
export function Trouble({ error, isShown = false }: Props) {
  const problem = error instanceof Problem ? error : new Problem('console_broken', error.message)
  const title = problem.code === 'console_broken' ? 'This page has a fault' : problem.title
  return (
    <Alert
      color={isShown ? 'orange' : 'red'}
      role="alert"
      title={title}
      icon={<Icon name={isShown ? 'warning' : 'stop'} />}
      p="sm"
      my="xs"
    >
      <Text size="sm" c="var(--mantine-color-text)">
        {problem.message} <Code>{problem.code}</Code>
      </Text>
      {isShown && (
        <Text size="sm" c="var(--mantine-color-text)">
          What is shown was read before.
        </Text>
      )}
    </Alert>
  )
}
