/** The certification of the provider, and what the kit cannot know about it. */
@NullMarked
package com.example.sqllock;

import org.jspecify.annotations.NullMarked;
