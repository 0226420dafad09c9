/** The program for the page's own world when no selectors are needed: page.evaluate and handles. */
import type { Evaluator } from './api';
import { evaluator } from './evaluate';

/** Declared around the bundle (Go: inject.Banner): assigning needs none of the helpers that exports do, and a page may have broken what those use. */
declare let install: () => Evaluator;

install = () => evaluator;
