import { type CSSVariablesResolver, createTheme } from '@mantine/core'

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: { light: 9, dark: 8 },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  headings: { fontWeight: '600' },
})

/** Dimmed text keeps a contrast of 4.5 to 1 or more on every ground of the page. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-dimmed': '#4d565e', '--mantine-color-body': '#f4f6f7' },
  dark: { '--mantine-color-dimmed': '#a9b1b8', '--mantine-color-body': '#15181b' },
})
