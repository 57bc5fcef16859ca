import { Alert, Code, Text } from '@mantine/core'
import { toErrorWords } from '../ui/errors.ts'
import { defineTexts, useTexts } from '../ui/texts.ts'
import { Icon } from './icon.tsx'

const texts = defineTexts({
  before: ['What is shown was read before.', 'Was zu sehen ist, wurde vorher gelesen.'],
})

type Props = {
  readonly error: Error
  /** True if something that was read before is shown below it. */
  readonly isShown?: boolean
}

/** A problem in words, with the code of the API. */
export function Trouble({ error, isShown = false }: Props) {
  const t = useTexts(texts)
  const { title, message, code } = toErrorWords(error)
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
        {message} <Code>{code}</Code>
      </Text>
      {isShown && (
        <Text size="sm" c="var(--mantine-color-text)">
          {t.before}
        </Text>
      )}
    </Alert>
  )
}
