import { Button, Code, CopyButton, Group } from '@mantine/core'
import { defineTexts, useTexts } from '../ui/texts.ts'
import { Faint } from './line.tsx'

const texts = defineTexts({
  copy: ['Copy', 'Kopieren'],
})

/** A text to be copied whole, under its name. */
export function CopyText({ label, text }: { readonly label: string; readonly text: string }) {
  const t = useTexts(texts)
  return (
    <div>
      <Group justify="space-between" align="baseline">
        <Faint inline>{label}</Faint>
        {/* Browsers give the clipboard only to pages that came over TLS or from this machine. */}
        {window.isSecureContext && (
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button
                variant="subtle"
                size="compact-xs"
                onClick={copy}
                aria-label={`${copied ? t.copied : t.copy}: ${label}`}
              >
                {copied ? t.copied : t.copy}
              </Button>
            )}
          </CopyButton>
        )}
      </Group>
      <Code block aria-label={label} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Code>
    </div>
  )
}
