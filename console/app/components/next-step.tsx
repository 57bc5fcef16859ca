import { Code, CopyButton, Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { defineTexts, useTexts } from '../ui/texts.ts'
import styles from './next-step.module.css'

const texts = defineTexts({
  copy: ['Copy the command', 'Befehl kopieren'],
})

type Props = { readonly children: ReactNode; readonly command?: string }

/** The content of an empty list: its purpose, and the command that adds a first item. */
export function NextStep({ children, command }: Props) {
  return (
    <div className={styles.step}>
      <Text size="sm" c="dimmed">
        {children}
      </Text>
      {command !== undefined && (
        <>
          <Code block className={styles.command}>
            {command}
          </Code>
          {/* Browsers give the clipboard only to pages that came over TLS or from this machine. */}
          {window.isSecureContext && <Copy text={command} />}
        </>
      )}
    </div>
  )
}

function Copy({ text }: { readonly text: string }) {
  const t = useTexts(texts)
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <UnstyledButton className={styles.copy} onClick={copy}>
          {copied ? t.copied : t.copy}
        </UnstyledButton>
      )}
    </CopyButton>
  )
}
