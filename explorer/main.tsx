import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './parts/theme.ts';
import { say } from './texts/index.ts';

document.documentElement.lang = say.language;
applyTheme();
render(<App />, document.body);
