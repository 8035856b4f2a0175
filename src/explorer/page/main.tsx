import { render } from 'preact';
import { App } from './app.tsx';
import { takeToken } from './ask/token.ts';
import { applyTheme } from './parts/theme.ts';
import { say } from './texts/index.ts';

// Before anything is asked.
takeToken();
document.documentElement.lang = say.language;
applyTheme();
render(<App />, document.body);
