import { type CSSVariablesResolver, createTheme } from '@mantine/core'

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: { fontWeight: '600' },
  // The head of a dialogue is no second banner of the page.
  // The titles of alerts are read on tinted grounds, where a colour lacks contrast.
  components: {
    ModalHeader: { defaultProps: { role: 'presentation' } },
    Alert: { styles: { label: { color: 'var(--mantine-color-text)' } } },
  },
  colors: {
    dark: [
      '#cdd4da',
      '#a9b1b8',
      '#828b93',
      '#5f6870',
      '#454d54',
      '#353b41',
      '#2a2f34',
      '#1f2327',
      '#15181b',
      '#101214',
    ],
  },
})

/** Text, errors and buttons keep a contrast of 4.5 to 1 or more on every ground of the page. */
export const variables: CSSVariablesResolver = () => ({
  // White text on a filled button keeps its contrast under the pointer, too.
  variables: { '--mantine-primary-color-filled-hover': '#095d6b' },
  light: {
    '--mantine-color-dimmed': '#4d565e',
    '--mantine-color-placeholder': '#636c74',
    '--mantine-color-body': '#f4f6f7',
    '--mantine-color-error': '#c92a2a',
  },
  dark: {
    '--mantine-color-dimmed': '#a9b1b8',
    '--mantine-color-placeholder': '#98a1a9',
    '--mantine-color-body': '#15181b',
    '--mantine-color-error': '#ff8787',
  },
})
